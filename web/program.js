// The program's bytes. A host that compresses is asked for the program itself; from one that does not, the packed file is
// read and unpacked here; and where a sandbox forbids reading, it comes as a script.
// @ts-check

const plain = "checkpointlab.wasm";
const packed = "checkpointlab.wasm.gz";
const asScript = "checkpointlab.wasm.js";

/** Whether the page folder has the packed forms; a static site has them. */
const hasPacked = "packed" in document.documentElement.dataset && typeof DecompressionStream === "function";

/** Loads and compiles the program once in a document, whichever of its scripts asks first. @returns {Promise<WebAssembly.Module>} */
export function compile() {
  const own = /** @type {{ checkpointLabModule?: Promise<WebAssembly.Module> }} */ (globalThis);
  own.checkpointLabModule ??= load();
  return own.checkpointLabModule;
}

async function load() {
  const ways = hasPacked ? [direct, unpacked, () => direct(true), script] : [() => direct(true)];
  let last;
  for (const way of ways) {
    try {
      const module = await way();
      if (module) return module;
    } catch (e) {
      last = e;
    }
  }
  throw last;
}

// direct gives nothing when the host would send the whole program although there is a packed one.
async function direct(whole = false) {
  const answer = await fetch(plain);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  if (!whole && !answer.headers.get("Content-Encoding")) {
    answer.body?.cancel().catch(() => {});
    return undefined;
  }
  return compileAnswer(answer);
}

async function unpacked() {
  const answer = await fetch(packed);
  if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
  return compileAnswer(new Response(await unpack(answer.body), { headers: { "Content-Type": "application/wasm" } }));
}

// unpack looks at the first bytes: some hosts send a .gz as an encoding, and then the browser has unpacked it already.
/** @param {ReadableStream<Uint8Array>} body */
async function unpack(body) {
  const reader = body.getReader();
  const first = await reader.read();
  const all = new ReadableStream({
    start(to) { if (first.value) to.enqueue(first.value); },
    async pull(to) {
      const { done, value } = await reader.read();
      if (done) to.close();
      else to.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
  return first.value?.[0] === 0x1f ? all.pipeThrough(new DecompressionStream("gzip")) : all;
}

// script asks for a script that calls checkpointLabProgram with the packed program in base64.
async function script() {
  /** @type {string} */
  const text = await new Promise((resolve, reject) => {
    Object.assign(window, { checkpointLabProgram: resolve });
    const element = document.createElement("script");
    element.src = asScript;
    element.onload = element.onerror = () => reject(new Error(asScript)); // loaded without a call, it is something else: the page of a login, say
    document.head.append(element);
  });
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return compileAnswer(new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } }));
}

/** @param {Response} answer */
async function compileAnswer(answer) {
  if (answer.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** How long a reader waits for the program before the page says that it takes long, in ms. */
const long = 30_000;

/**
 * Tells that the program has not come after a while, for a connection that stands still never fails; and, if that was told, when it has.
 * @param {(late: boolean) => void} tell
 */
export function whenLate(tell) {
  let told = false;
  const late = setTimeout(() => tell(told = true), long);
  compile().catch(() => {}).finally(() => {
    clearTimeout(late);
    if (told) tell(false);
  });
}

/**
 * The text that says why there is no program.
 * @param {string} why  what the browser said
 */
export function missing(why) {
  return /content security|\bCSP\b|unsafe-eval/i.test(why) ? "boot.policy" : "boot.download";
}

/**
 * How the program's heap grows until its first picture (GOGC): a collection before would find little, for what is read and made
 * at the start stays. cmd/wasm takes over then.
 */
export const startHeap = { GOGC: "400" };
