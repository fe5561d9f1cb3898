/** A page that was fetched, or handed over as it is. */
export interface AuditedPage {
  html: string
  /** Where it lies; null when only its text was given. */
  url: string | null
  /** How it was delivered; null when it was not fetched. */
  delivery: Delivery | null
}

export interface Delivery {
  status: number
  /** Names in lower case. Several of one name are joined by ", ". */
  headers: ReadonlyMap<string, string>
  cookies: readonly string[]
  /** Of the page as decoded, in bytes. */
  bytes: number
  /** How many redirects led here. */
  redirects: number
  /** Until the answer began, in ms. */
  waitedMs: number
  /** By which its bytes were read, and how many characters that could not be. */
  charset: string
  undecodable: number
  /** Its text; null when there is none; undefined when it could not be asked for. */
  robotsTxt: string | null | undefined
}
