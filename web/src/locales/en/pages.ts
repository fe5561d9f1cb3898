// Texts of index.html and overlay.html, inserted when the console is built.
export const description = 'Mail, tasks, calendar, bookings and live stream in one place.'
export const loading = 'Loading…'
export const needsJavaScript = 'The Factotum console needs JavaScript. The API is documented at'
export const overlayTitle = 'Factotum overlay'
export const overlayNeedsJavaScript = 'The overlay needs JavaScript.'
