import { describe, expect, it } from 'vitest'
import { withScope } from './scopes.ts'

describe('the scopes of a token', () => {
  it('need only one for each area, because write access includes the others', () => {
    expect(withScope(['mail:read', 'tasks:read'], 'mail:write', true)).toEqual(['tasks:read', 'mail:write'])
    expect(withScope(['mail:draft'], 'mail:write', true)).toEqual(['mail:write'])
  })

  it('keep read access when write access is removed', () => {
    expect(withScope(['mail:write'], 'mail:write', false)).toEqual(['mail:read'])
    expect(withScope(['mail:read'], 'mail:read', false)).toEqual([])
  })
})
