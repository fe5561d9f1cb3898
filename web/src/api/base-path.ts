/** The path of PUBLIC_URL, such as `/factotum`, or an empty text. The server writes it into the page. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** Adds the base path to a path of the API or the server. Links of the router must not have it. */
export const toServerPath = (path: string): string => `${basePath}${path}`

/** The full address of a path, for use outside this browser. */
export const toPublicUrl = (path: string): string => `${window.location.origin}${toServerPath(path)}`

/** Removes the base path, so that the router can use the path. */
export const toRouterPath = (pathname: string): string =>
  basePath !== '' && (pathname === basePath || pathname.startsWith(`${basePath}/`))
    ? pathname.slice(basePath.length) || '/'
    : pathname
