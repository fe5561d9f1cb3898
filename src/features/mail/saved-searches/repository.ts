import { versionedRows } from '../../../database/versioned-rows.ts'

export const {
  insert: insertSearch,
  lock: lockSearch,
  update: updateSearch,
  remove: deleteSearch,
  list: listSearches,
} = versionedRows('saved_searches')
