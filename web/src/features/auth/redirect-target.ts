const AUTH_PATHS = ['/login', '/register']

/** Reads the redirect target after sign-in. Accepts only paths of this origin, to prevent open redirects. */
export const readRedirectTarget = (search: string): string => {
  const next = new URLSearchParams(search).get('next')
  if (next === null) return '/'
  const { origin } = window.location
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  if (url === null || url.origin !== origin || AUTH_PATHS.includes(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
