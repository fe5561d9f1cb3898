import { type Language, toLanguage } from '../../../platform/language.ts'
import { de } from './locales/de.ts'
import { en, type InvitationTexts } from './locales/en.ts'

const TEXTS: Readonly<Record<Language, InvitationTexts>> = { en, de }

export const invitationTexts = (locale: string): InvitationTexts => TEXTS[toLanguage(locale)]
