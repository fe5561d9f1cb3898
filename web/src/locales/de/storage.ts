// Texts about the storage of an account and its limit.
export const storage = 'Speicher'
export const storageAbout = 'E-Mails und Anhänge'
export const storageUsed = 'Belegter Speicher'
export const usedOfLimit = ({ used, limit }: { used: string; limit: string }) => `${used} von ${limit}`
export const usedWithoutLimit = (used: string) => `${used} belegt, kein Limit`
export const showStorage = 'Speicher anzeigen'
export const warnings = {
  nearly_full:
    'Dein Speicher ist fast voll. Lösche E-Mails oder bitte den Eigentümer dieser Instanz um mehr Speicher.',
  full: 'Dein Speicher ist voll. Neue E-Mails bleiben auf deinem Mailserver. Lösche E-Mails oder bitte den Eigentümer dieser Instanz um mehr Speicher.',
}
