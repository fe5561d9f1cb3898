// Texts about the storage of an account and its limit.
export const storage = 'Storage'
export const storageAbout = 'Emails and attachments'
export const storageUsed = 'Storage used'
export const usedOfLimit = ({ used, limit }: { used: string; limit: string }) => `${used} of ${limit}`
export const usedWithoutLimit = (used: string) => `${used} used, no limit`
export const showStorage = 'Show storage'
export const warnings = {
  nearly_full:
    'Your storage is nearly full. Delete emails, or ask the owner of this instance for more storage.',
  full: 'Your storage is full. New mail stays on your mail server. Delete emails, or ask the owner of this instance for more storage.',
}
