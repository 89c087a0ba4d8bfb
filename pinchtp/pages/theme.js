// The colors that the visitor chose: light, dark, or none, which are the system's. A page begins with
// it, before anything is drawn.
try {
  document.documentElement.dataset.theme = localStorage.getItem("pinchtp-theme") ?? "";
} catch {
  // Nothing is kept here: the system decides.
}
