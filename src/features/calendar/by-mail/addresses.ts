/** RFC 5321 lets the part before the @ differ by case; no mail server that people use does. */
export const isSameAddress = (one: string, other: string): boolean =>
  one !== '' && one.toLowerCase() === other.toLowerCase()

/** `ana+work@example.org` reaches `ana@example.org`. */
const withoutDetail = (address: string): string => address.replace(/\+[^@]*(?=@)/, '')

/** Whether mail to `address` comes to this account. */
export const reaches = (address: string, account: string): boolean =>
  isSameAddress(address, account) || isSameAddress(withoutDetail(address), account)
