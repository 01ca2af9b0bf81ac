/**
 * Returns the script that every page runs before its own ones. In the top frame only, as in Electron, it runs the built preload script with a
 * `require` that knows only `electron`. Values cross the bridge by structured clone.
 */
export function pageScript(preloadSource: string): string {
  return `(() => {
  if (window !== window.top) return;
  const listeners = new Map();
  Object.defineProperty(window, 'standInDeliver', { value: (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({ senderId: 0 }, ...structuredClone(args));
  } });
  const ipcRenderer = {
    invoke: async (channel, ...args) => {
      const answer = await window.standInInvoke(channel, structuredClone(args));
      if (answer.error !== undefined) throw new Error("Error invoking remote method '" + channel + "': " + answer.error);
      return answer.value;
    },
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    off: (channel, listener) => void listeners.set(channel, (listeners.get(channel) ?? []).filter((other) => other !== listener)),
  };
  const cross = (value) => typeof value === 'function' ? value : structuredClone(value);
  const exposed = (value) => {
    if (typeof value === 'function') return (...args) => {
      const answer = value(...args.map(cross));
      return answer instanceof Promise ? answer.then(cross) : cross(answer);
    };
    if (typeof value !== 'object' || value === null) return value;
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exposed(member)])));
  };
  const contextBridge = { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: exposed(api), enumerable: true }) };
  const require = (name) => {
    if (name !== 'electron') throw new Error('a sandboxed preload cannot require ' + name);
    return { contextBridge, ipcRenderer };
  };
  const module = { exports: {} };
  (function (require, module, exports) {
${preloadSource}
  })(require, module, module.exports);
})();`;
}
