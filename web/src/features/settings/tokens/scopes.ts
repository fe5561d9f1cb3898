import * as t from '#locale/tokens'
import type { Shape } from '../../../api/client.ts'

export type Scope = Shape<'NewToken'>['scopes'][number]
export type Area = keyof typeof t.areas

/** The areas with read and write access. */
export const AREAS = (Object.keys(t.areas) as Area[]).filter((area) => area !== 'metrics') as Exclude<
  Area,
  'metrics'
>[]

/** Warnings about scopes that can send something to other people. */
export const SENDING_NOTES = Object.entries(t.sendingNotes) as [Scope, string][]

/** Write access includes draft and read access, so one scope per area is enough. */
export const withScope = (scopes: readonly Scope[], scope: Scope, granted: boolean): Scope[] => {
  const [area, access] = scope.split(':') as [Area, string]
  const others = scopes.filter((other) => !other.startsWith(`${area}:`))
  if (granted) return [...others, scope]
  return access !== 'read' && scopes.includes(scope) ? [...others, `${area}:read` as Scope] : others
}

export const inWords = (scope: Scope): string => {
  const [area, access] = scope.split(':') as [Area, keyof typeof t.grants]
  return t.grants[access](t.areas[area])
}
