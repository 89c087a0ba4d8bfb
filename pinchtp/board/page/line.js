// A socket to the server that may open before anybody listens: what it hears until then waits.

/** @typedef {(event: Event | MessageEvent) => void} Listener hears open, message and close */

export class Line {
  /** @type {Listener | null} */ #listener = null;
  /** @type {Event[]} */ #waiting = [];

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    for (const kind of ["open", "message", "close"]) {
      this.socket.addEventListener(kind, (event) => {
        if (this.#listener) this.#listener(event);
        else this.#waiting.push(event);
      });
    }
  }

  /** @param {Listener} listener */
  listen(listener) {
    this.#listener = listener;
    this.#waiting.splice(0).forEach(listener);
  }
}

/** @type {Line | null} */
let early = null;

/** Opens the socket that the next `dial` returns. */
export function dialEarly() {
  early = new Line();
}

/** A socket that is open, or opens. */
export function dial() {
  const line = early ?? new Line();
  early = null;
  return line;
}
