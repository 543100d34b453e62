// The service worker of a site. Pages come from the network while there is one; everything else has a name that changes with
// its content, so what is kept is good for as long as somebody asks for it.
const cacheName = `checkpointlab ${registration.scope} ${version}`;

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forget().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(registration.scope)) return;
  const page = event.request.mode === "navigate" || /(\/|\.html)$/.test(url.pathname);
  event.respondWith(page ? fresh(event.request) : kept(event.request));
});

async function keep() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((name) => new Request(name, { cache: "no-cache" })));
  // The program as the page has just got it, whole or packed; packed it is smaller, if the browser did not keep it.
  for (const name of program) {
    const had = await fetch(name, { cache: "only-if-cached", mode: "same-origin" }).catch(() => undefined);
    if (had?.ok) return cache.put(name, had);
  }
  await cache.add(program[program.length - 1]);
}

async function forget() {
  const mine = `checkpointlab ${registration.scope} `;
  for (const name of await caches.keys()) if (name.startsWith(mine) && name !== cacheName) await caches.delete(name);
}

async function fresh(request) {
  try {
    return await fetch(request);
  } catch (e) {
    const url = new URL(request.url);
    const name = url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname;
    const had = await caches.match(name, { cacheName, ignoreSearch: true });
    if (had) return had;
    throw e;
  }
}

async function kept(request) {
  const had = await caches.match(request, { cacheName, ignoreVary: true });
  if (had) return had;
  const answer = await fetch(request);
  if (answer.ok && answer.type === "basic" && !/\.wasm(\.js)?$/.test(new URL(request.url).pathname)) {
    const copy = answer.clone();
    caches.open(cacheName).then((cache) => cache.put(request, copy)).catch(() => {});
  }
  return answer;
}
