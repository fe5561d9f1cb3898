import { domainToASCII } from 'node:url'

const ASCII = /^[\0-\x7f]*$/

const split = (address: string): { local: string; domain: string } => {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** Whether a server must offer SMTPUTF8 (RFC 6531) to accept the address: its local part is not ASCII. */
export const needsSmtpUtf8 = (address: string): boolean => !ASCII.test(split(address).local)

/** The domain in A-labels (RFC 5891). Null if it is not a valid domain. */
export const toAsciiDomain = (address: string): string | null => {
  const { domain } = split(address)
  return ASCII.test(domain) ? domain : domainToASCII(domain) || null
}

/** The address for the SMTP envelope: every server understands a domain in A-labels. */
export const toEnvelopeAddress = (address: string): string =>
  `${split(address).local}@${toAsciiDomain(address) ?? split(address).domain}`
