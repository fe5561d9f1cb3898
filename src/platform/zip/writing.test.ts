import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createZipWriter } from './writing.ts'

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

const ENTRIES = 1000
const MIB = 1024 * 1024

it('a zip that is written keeps nothing of an entry but its name', async () => {
  let written = 0
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.length
      setImmediate(done)
    },
  })
  const zip = createZipWriter(destination, new Date(0))
  const content = 'x'.repeat(20_000)
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  for (let n = 0; n < ENTRIES; n++) await zip.add(`entry-${n}`, [Buffer.from(content), Buffer.from(content)])
  collectGarbage()
  // A slab of the pool for each name would be 60 MiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB)
  await zip.end()
  expect(written).toBeGreaterThan(ENTRIES * 100)
})
