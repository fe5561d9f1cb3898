import { usePreferences } from '../api/account.ts'
import { toFormatLocale } from '../locales/languages.ts'

/** The locale of dates and times: the language of the console with the region of the account. */
export const useFormatLocale = (): string => toFormatLocale(usePreferences().data?.value.locale)
