// Runs before the first paint, so that a page never flashes in the wrong colours. The choice is made in the
// account menu (src/shell/theme.ts); without one the system's setting holds.
try {
  const theme = localStorage.getItem('factotum.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's setting it is.
}
