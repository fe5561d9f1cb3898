import { type Language, toLanguage } from '../../platform/language.ts'
import { de } from './locales/de.ts'
import { en, type NotificationTexts } from './locales/en.ts'

const TEXTS: Readonly<Record<Language, NotificationTexts>> = { en, de }

/** The texts in the language of an account. */
export const textsFor = ({ locale }: { locale: string }): NotificationTexts => TEXTS[toLanguage(locale)]
