import type { Shape } from '../../../api/client.ts'

export type Scope = Shape<'NewToken'>['scopes'][number]

export const AREAS = [
  { area: 'mail', label: 'E-mails' },
  { area: 'tasks', label: 'Tasks' },
  { area: 'calendar', label: 'Calendar' },
  { area: 'booking', label: 'Bookings' },
  { area: 'ai', label: 'AI and chat' },
  { area: 'stream', label: 'Stream' },
  { area: 'workflow', label: 'Workflows' },
] as const

export type Area = (typeof AREAS)[number]['area']

/** Warnings about scopes that can send something to other people. */
export const SENDING_NOTES: readonly { scope: Scope; note: string }[] = [
  {
    scope: 'mail:write',
    note: 'Write E-mails: sends e-mail without asking you. Stored invitations can update events.',
  },
  { scope: 'calendar:write', note: 'Write Calendar: changes events; servers may e-mail guests.' },
  { scope: 'mail:draft', note: 'Draft e-mails: sends only after you confirm.' },
]

/** Write access includes draft and read access, so one scope per area is enough. */
export const withScope = (scopes: readonly Scope[], scope: Scope, granted: boolean): Scope[] => {
  const [area, access] = scope.split(':') as [Area, string]
  const others = scopes.filter((other) => !other.startsWith(`${area}:`))
  if (granted) return [...others, scope]
  return access !== 'read' && scopes.includes(scope) ? [...others, `${area}:read`] : others
}

export const inWords = (scope: Scope): string => {
  const [area, access] = scope.split(':')
  const label = AREAS.find((entry) => entry.area === area)?.label ?? area
  const words = { read: 'read', draft: 'read and draft', write: 'read and write' }[access ?? ''] ?? access
  return `${label}: ${words}`
}
