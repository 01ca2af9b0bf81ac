/** Keeps the files of the add-in, never a figure: where Tieout is closed, its functions still start and say so. */
const KEPT = 'tieout-add-in';
const FILES = /\/office\/(?:taskpane\.(?:html|css|js)|functions\.(?:js|json))$/;

self.addEventListener('install', (event) => {
  const names = ['taskpane.html', 'taskpane.css', 'taskpane.js', 'functions.js', 'functions.json'];
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(names)));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin || !FILES.test(pathname)) return;
  const fresh = async () => {
    const kept = await caches.open(KEPT);
    try {
      const answer = await fetch(event.request);
      if (answer.ok) await kept.put(event.request, answer.clone());
      return answer;
    } catch {
      return (await kept.match(event.request, { ignoreSearch: true })) ?? Response.error();
    }
  };
  event.respondWith(fresh());
});
