import type { Scope } from '../../platform/access/caller.ts'

/** Who may hear of what, by how the type of a change begins. What is not here stays in the house. */
const SCOPES: Readonly<Record<string, Scope>> = {
  email: 'mail:read',
  task: 'tasks:read',
  event: 'calendar:read',
  booking: 'booking:read',
  stream: 'stream:read',
}

/** The scope that hearing of a change needs; undefined when nobody outside hears of it. */
export const scopeOf = (type: string): Scope | undefined => {
  const [area = ''] = type.split('.', 1)
  return Object.hasOwn(SCOPES, area) ? SCOPES[area] : undefined
}
