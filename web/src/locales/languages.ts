import { language } from '#locale/language'
import { basePath } from '../api/base-path.ts'

/** The languages of the console with their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof LANGUAGES

/** The language of the console for a locale such as `de-AT`. Locales without a translation get English. */
export const toLanguage = (locale: string): Language => (/^de\b/i.test(locale) ? 'de' : 'en')

/**
 * The locale of dates and numbers: the language of the console with the region of the account or the browser. A French
 * region must not put French month names into English sentences.
 */
export const toFormatLocale = (locale: string = navigator.language): string => {
  if (toLanguage(locale) === language && locale.toLowerCase().startsWith(language)) return locale
  const { region } = new Intl.Locale(locale).maximize()
  return region === undefined ? language : `${language}-${region}`
}

/**
 * The locale of an account in another language. Keeps the region and so the format of dates and times, except for
 * American English, which browsers report all over the world.
 */
export const toLocaleIn = (wanted: Language, locale: string): string => {
  const { region } = new Intl.Locale(locale).maximize()
  return region === undefined || region === 'US' ? wanted : `${wanted}-${region}`
}

const COOKIE = 'factotum.language'

/** The server selects the page by this cookie: the request for a page has no token to find the account by. */
const storedLanguage = (): string | undefined =>
  document.cookie
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)

/** Stores the language and reloads the page in it. */
export const switchLanguage = (chosen: Language): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and needs HTTPS.
  document.cookie = `${COOKIE}=${chosen}; path=${basePath}/; max-age=31536000; samesite=lax`
  location.reload()
}

/**
 * Switches to the language of an account. Does nothing if the page already has that language. If the cookie already
 * names the language, a browser cache or a proxy returned another page, and a reload would repeat forever.
 */
export const followAccountLanguage = (locale: string): void => {
  const wanted = toLanguage(locale)
  if (wanted !== language && storedLanguage() !== wanted) switchLanguage(wanted)
}
