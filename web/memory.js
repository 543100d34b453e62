// A reader's choices of a page, kept for the next visit where the browser allows it.
// @ts-check

/** @param {string} key */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is off: the choice holds for this visit
  }
}

/** @param {string} key @param {string} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // as above
  }
}
