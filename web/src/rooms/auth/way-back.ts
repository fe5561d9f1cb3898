const DOORS = ['/login', '/register']

/** Where to go after signing in: a place of this console, whatever the address says. */
export const readWayBack = (search: string): string => {
  const next = new URLSearchParams(search).get('next')
  if (next === null) return '/'
  const { origin } = window.location
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  if (url === null || url.origin !== origin || DOORS.includes(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
