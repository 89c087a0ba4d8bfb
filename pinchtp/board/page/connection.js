// The connection to the server: notices when it is stuck, and reconnects. Delays grow until a table
// is received.
import { STRINGS } from "./strings.js";

/** @typedef {import("./messages.js").ServerMessage} ServerMessage */
/** @typedef {import("./messages.js").PageRequest} PageRequest */
/** @typedef {"connecting" | "open" | "lost" | "ended"} Link  ended: it does not reconnect */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 4000; // milliseconds
const REFUSED_PAUSE = 30_000; // milliseconds after a refusal, which lasts longer than a failure
const TRY_LATER = 1013; // the close code of a refusal
const FOR_GOOD = 1008; // that of a refusal without end
const VERSION = import.meta.url.split("/").at(-4); // of the page; see server.py
const BEAT = 5000;
const PATIENCE = 6000; // milliseconds between tests, and until a silent socket is lost
const SLOWEST = 20; // characters per millisecond that a slow line sends

/** @param {Link} link */
export const isLost = (link) => link === "lost" || link === "ended";

/** The address of the board: an invitation's page has a secret one below it. */
export const homeAddress = () =>
  new URL(location.pathname.replace(/game\/[^/]*$/, ""), location.origin).href;

export class Connection {
  /** @type {WebSocket | null} */ #socket = null;
  #pause = FIRST_PAUSE;
  #hasEnded = false;
  #lastId = 0;
  #sentBy = 0; // when a slow line has sent the requests, by performance.now()
  lastMessage = 0; // when the last message came, by performance.now()
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #watchdog; // until a response
  /** @type {Map<number, (answer: ServerMessage | null) => void>} */ #waiting = new Map();

  /**
   * @param {(message: ServerMessage) => void} received
   * @param {(link: Link, reason?: string) => void} changed reason: why it has ended
   */
  constructor(received, changed) {
    this.received = received;
    this.changed = changed;
    // The socket may be dead after the page was hidden or the network was lost, so test it.
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.#test());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#test();
    });
    setInterval(() => {
      if (this.#socket) this.#test();
    }, BEAT);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.#socket = new WebSocket(
      `${scheme}://${location.host}${location.pathname.replace(/\/$/, "")}/${VERSION}/socket`,
    ));
    socket.addEventListener("open", () => this.changed("open"));
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data));
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket === this.#socket && code === TRY_LATER) this.#pause = REFUSED_PAUSE;
      if (socket === this.#socket && code === FOR_GOOD) this.#end(reason);
      else this.#lost(socket);
    });
    this.#expect(socket);
  }

  /**
   * Sends a request and returns its id; 0 if there is no connection.
   * @param {PageRequest} request
   */
  send(request) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return 0;
    const id = (this.#lastId += 1);
    const text = JSON.stringify({ ...request, id });
    this.#socket.send(text);
    this.#sentBy = Math.max(this.#sentBy, performance.now()) + text.length / SLOWEST;
    this.#expect(this.#socket);
    return id;
  }

  /**
   * Sends a request and waits for its response; null without a connection.
   * @param {PageRequest} request @returns {Promise<ServerMessage | null>}
   */
  ask(request) {
    const id = this.send(request);
    if (!id) return Promise.resolve(null);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    clearTimeout(this.#watchdog);
    this.#watchdog = undefined;
    this.lastMessage = performance.now();
    if (message.type === "state") this.#pause = FIRST_PAUSE; // the page was admitted
    if ("request" in message && message.request) this.#settle(message.request, message);
    this.received(message);
  }

  /** @param {number} id @param {ServerMessage | null} answer */
  #settle(id, answer) {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /**
   * Sends a request that returns no data.
   * @param {PageRequest} request @returns {Promise<string>} the reason of a rejection, or empty
   */
  async change(request) {
    const answer = await this.ask(request);
    if (!answer) return STRINGS.connection.lost;
    return answer.type === "refused" ? answer.text : "";
  }

  /** Gives up the connection for good. @param {string} reason */
  #end(reason) {
    this.#hasEnded = true;
    this.#forget();
    this.changed("ended", reason);
  }

  #forget() {
    this.#socket = null;
    this.#sentBy = 0;
    clearTimeout(this.#watchdog);
    this.#watchdog = undefined;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#forget();
    this.changed("lost");
    setTimeout(() => {
      if (!this.#socket && !this.#hasEnded) this.open();
    }, this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, 2 * this.#pause);
  }

  /** Gives up a socket that stays silent after its requests. @param {WebSocket} socket */
  #expect(socket) {
    const unsent = Math.max(0, this.#sentBy - performance.now()); // milliseconds
    this.#watchdog ??= setTimeout(() => {
      this.#lost(socket);
      socket.close(); // its own event may come a minute later
    }, unsent + PATIENCE);
  }

  #test() {
    if (this.#socket) this.send({ type: "ping" });
    else if (!this.#hasEnded) this.open();
  }
}
