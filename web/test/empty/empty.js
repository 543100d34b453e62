// Starts the empty program as Ebitengine's own documentation has it.
// @ts-check
// @ts-ignore wasm_exec.js defines it
const go = new Go();
WebAssembly.instantiateStreaming(fetch("empty.wasm"), go.importObject).then(({ instance }) => go.run(instance));
