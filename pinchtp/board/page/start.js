// The first script. The browser paints what the server has drawn (the visitor's board among it), and
// loads the program only then: its many modules would delay the picture by half. The socket opens
// meanwhile.
import { dialEarly } from "./line.js";

const LATEST = 500; // milliseconds, where the browser does not tell that it has painted

dialEarly();
if (document.hidden) load(); // nothing is painted now
else {
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
  setTimeout(load, LATEST);
}

function load() {
  const modules = /** @type {HTMLTemplateElement} */ (document.getElementById("modules"));
  document.head.append(modules.content); // empty if it was done before
  import("./main.js");
}
