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

/** Writing includes reading, so one scope an area says it all. */
export const withScope = (
  scopes: readonly Scope[],
  area: Area,
  access: 'read' | 'write',
  granted: boolean,
): Scope[] => {
  const others = scopes.filter((scope) => !scope.startsWith(`${area}:`))
  if (granted) return [...others, `${area}:${access}`]
  const hadWrite = scopes.includes(`${area}:write`)
  return access === 'write' && hadWrite ? [...others, `${area}:read`] : others
}

export const inWords = (scope: Scope): string => {
  const [area, access] = scope.split(':')
  const label = AREAS.find((entry) => entry.area === area)?.label ?? area
  return `${label}: ${access === 'write' ? 'read and write' : 'read'}`
}
