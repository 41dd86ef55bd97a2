// Starts the engine in its worker. The address is relative to the page, so the app may live in any folder.
export const startEngine = () => new Worker("./engine.js", { type: "module" });
