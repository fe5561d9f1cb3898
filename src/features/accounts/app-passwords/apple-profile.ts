import { createHash } from 'node:crypto'

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string)

/** The same server and user name give the same id, so that a new profile replaces the one before. */
const toUuid = (...parts: readonly string[]): string => {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex').toUpperCase()
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value }

const writeValue = (value: Value): string => {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (Array.isArray(value)) return `<array>${value.map(writeValue).join('')}</array>`
  const entries = Object.entries(value).map(([name, each]) => `<key>${name}</key>${writeValue(each)}`)
  return `<dict>\n${entries.join('\n')}\n</dict>`
}

/**
 * A configuration profile for iOS and macOS with the account for calendars. It has no password, so that the device asks
 * for it.
 */
export const writeAppleProfile = (server: URL, username: string): string => {
  const host = server.hostname
  const port = Number(server.port) || (server.protocol === 'https:' ? 443 : 80)
  const calendars = {
    PayloadType: 'com.apple.caldav.account',
    PayloadVersion: 1,
    PayloadIdentifier: `factotum.${host}.caldav`,
    PayloadUUID: toUuid(server.href, username, 'CalDAV'),
    PayloadDisplayName: 'Factotum (CalDAV)',
    CalDAVAccountDescription: 'Factotum',
    CalDAVHostName: host,
    CalDAVPort: port,
    CalDAVUseSSL: server.protocol === 'https:',
    CalDAVPrincipalURL: server.href,
    CalDAVUsername: username,
  }
  const profile = {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: `factotum.${host}`,
    PayloadUUID: toUuid(server.href, username),
    PayloadDisplayName: 'Factotum',
    PayloadDescription: `${host}: ${username}`,
    PayloadContent: [calendars],
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${writeValue(profile)}
</plist>
`
}
