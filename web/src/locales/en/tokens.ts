// Texts of access tokens and private links.
import { formatNumber, plural } from '../format.ts'

export const neverUsed = 'Never used'
export const lastUsed = 'Last used <time></time>'
export const revoke = 'Revoke'
export const revokeTitle = (name: string) => `Revoke “${name}”?`
export const revokeNamed = (name: string) => `Revoke ${name}`
export const revoked = (name: string) => `“${name}” revoked`
export const name = 'Name'

export const yourTokens = 'Your tokens'
export const accessTokens = 'Access tokens'
export const accessTokensAbout = 'For programs that use the <link>API</link>. Tokens cannot change settings.'
export const noTokens = 'No access tokens'
export const noTokensAbout = 'Create one for a script or another program.'
export const newToken = 'New token'
export const newTokenTitle = 'New access token'
export const newTokenAbout = 'For one program, with only the access it needs'
export const createToken = 'Create token'
export const tokenNameHint = 'For example “n8n on the NAS”'
export const scopes = 'Access'
export const area = 'Area'
export const read = 'Read'
export const write = 'Write'
export const draftEmails = 'Draft emails'
export const readMetrics = 'Read metrics of this instance'
export const areas = {
  mail: 'Email',
  tasks: 'Tasks',
  calendar: 'Calendar',
  booking: 'Bookings',
  ai: 'AI and chat',
  stream: 'Stream',
  workflow: 'Workflows',
  metrics: 'Metrics of this instance',
}
/** The access of a token to an area. */
export const grants = {
  read: (label: string) => `${label}: read`,
  draft: (label: string) => `${label}: read and draft`,
  write: (label: string) => `${label}: read and write`,
}
export const readArea = (label: string) => `Read ${label}`
export const writeArea = (label: string) => `Write ${label}`
export const sendingNotes = {
  'mail:write': 'Write Email: sends emails without asking. Invitations can update events.',
  'calendar:write': 'Write Calendar: changes events. Servers may notify attendees.',
  'mail:draft': 'Draft emails: sends only after you confirm.',
}
export const scopesMissing = 'Select what the token may access.'
export const selectOne = 'Select at least one.'
export const expires = 'Expires'
export const expiryInDays = (days: number) =>
  plural(days, { one: 'In 1 day', other: `In ${formatNumber(days)} days` })
export const expiryInYear = 'In one year'
export const expiryOnDate = 'On a date'
export const expiryNever = 'Never'
export const expiryDate = 'Expiry date'
export const neverExpires = 'Never expires'
export const expiresOn = (date: string) => `Expires on ${date}`
export const expired = 'Expired'
export const expiresSoon = 'Expires soon'
export const actionsFor = (token: string) => `Actions for ${token}`
export const rename = 'Rename'
export const renameTitle = 'Rename token'
export const renamed = 'Token renamed'
export const newSecret = 'New secret'
export const newSecretTitle = (token: string) => `New secret for “${token}”`
export const newSecretAbout = 'The current secret stops working at once.'
export const createSecret = 'Create secret'
export const revokeTokenAbout = 'Apps that use this token lose access. You cannot undo this.'
export const yourToken = 'Your access token'
export const yourTokenAbout = 'Copy it now. It is shown only once.'

export const yourPrivateLinks = 'Your links'
export const privateLinks = 'Private links'
export const privateLinksAbout = 'Read-only links to your calendar or stream overlay, for other apps.'
export const noPrivateLinks = 'No private links'
export const noPrivateLinksAbout = 'Create one per app to revoke them separately.'
export const newPrivateLink = 'New private link'
export const createPrivateLink = 'Create link'
export const privateLinkNameHint = 'For example “Phone calendar”'
export const content = 'Content'
export const purposes = {
  calendar: 'Calendar',
  overlay: 'Stream overlay',
}
export const revokeLinkAbout = 'Apps that use this link lose access. You cannot undo this.'
export const yourPrivateLink = 'Your private link'
export const yourPrivateLinkAbout =
  'Anyone with this link can read the content. Copy it now: it is shown only once.'
