import { describe, expect, it } from 'vitest'
import { latestMigration } from '../database/migrate.ts'
import { explainOtherSchema } from './backup.ts'

describe('a backup', () => {
  const state = { at: latestMigration, since: null, pending: [], unknown: [] }

  it('needs the schema of this version', () => {
    expect(explainOtherSchema(state)).toBeUndefined()
    expect(explainOtherSchema({ ...state, at: null })).toContain('the database is empty')
    expect(explainOtherSchema({ ...state, unknown: ['9000-later'] })).toContain('upgrade this one')
    expect(explainOtherSchema({ ...state, pending: ['9000-later'] })).toContain('factotum migrate')
  })

  it('asks to stop the older instances during an upgrade one by one', () => {
    const pending = ['9000-contract-unused-columns']
    expect(explainOtherSchema({ ...state, pending })).toContain('Stop the older instances')
    const mixed = ['8999-later', ...pending]
    expect(explainOtherSchema({ ...state, pending: mixed })).toContain(
      'Back up with the version that wrote it',
    )
  })
})
