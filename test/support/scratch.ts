import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Engine } from '../../src/database/database.ts'
import { type DataPlace, makeDataPlace } from './databases.ts'

/** Creates a directory for a test file, with data directories that are removed with it. */
export const makeScratch = () => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-scratch-'))
  const places: DataPlace[] = []
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    for (const place of places) await place.remove()
  })
  return {
    directory,
    async newPlace(engine: Engine, prepared?: 'prepared'): Promise<DataPlace> {
      const place = await makeDataPlace(engine, prepared)
      places.push(place)
      return place
    },
  }
}
