// Which frames show a phone's picture, one lane below the other.
// @ts-check

/** The width below which the picture gets smaller as a whole, in px. */
export const least = 720;

/**
 * @param {number} width   of the frame, px
 * @param {number} height
 */
export function upright(width, height) {
  return width < least && height > 1.2 * width;
}
