import type { AuthMailTexts } from './en.ts'

export const de: AuthMailTexts = {
  subject: 'Passwort zurücksetzen',
  greeting: (name) => `Hallo ${name},`,
  request: 'Jemand, vermutlich du, hat ein neues Passwort für dein Factotum-Konto angefordert.',
  instructions:
    'Öffne diesen Link innerhalb von 30 Minuten, und zwar in dem Browser, in dem du ihn angefordert hast:',
  ignore: 'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort wurde nicht geändert.',
  reference: (id) => `Referenz: ${id}`,
  invitation: {
    subject: (inviter) => `${inviter} lädt dich zu Factotum ein`,
    greeting: 'Hallo,',
    request: (inviter) => `${inviter} lädt dich ein, ein Factotum-Konto anzulegen.`,
    instructions: 'Öffne diesen Link innerhalb einer Woche:',
    ignore: 'Wenn du kein Konto möchtest, ignoriere diese E-Mail.',
  },
}
