/** The languages of emails, notifications and stored texts. The console has the same languages. */
export type Language = 'en' | 'de'

/** The language for a locale such as `de-AT`. Locales without a translation get English. */
export const toLanguage = (locale: string): Language => (/^de\b/i.test(locale) ? 'de' : 'en')

/**
 * The locale for dates in a text: its language with the region of the account. Otherwise a French locale would put
 * French month names into an English text.
 */
export const toFormatLocale = (locale: string): string => {
  const language = toLanguage(locale)
  if (locale.toLowerCase().startsWith(language)) return locale
  const { region } = new Intl.Locale(locale).maximize()
  return region === undefined ? language : `${language}-${region}`
}

/** Finds the language of an account. */
export type LanguageOf = (userId: number) => Promise<Language>
