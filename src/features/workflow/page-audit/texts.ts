import { de } from './locales/de.ts'
import { type AuditTexts, en } from './locales/en.ts'

export type AuditLanguage = 'en' | 'de'

const TEXTS: Readonly<Record<AuditLanguage, AuditTexts>> = { en, de }

export const auditTexts = (language: AuditLanguage): AuditTexts => TEXTS[language]
