// Runs before the first paint, so that a page never flashes in the wrong colours. The account menu stores the
// choice (src/shell/theme.ts). Without a stored choice the system setting applies.
try {
  const theme = localStorage.getItem('factotum.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system setting applies.
}
