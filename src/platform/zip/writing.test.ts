import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createZipWriter } from './writer.ts'

/** Returns the memory outside the heap after a garbage collection. */
const held = (): number => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().arrayBuffers
}

const ENTRIES = 1000
const MIB = 1024 * 1024

it('a zip writer keeps only the names of its entries in memory', async () => {
  let written = 0
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.length
      setImmediate(done)
    },
  })
  const zip = createZipWriter(destination, new Date(0))
  const content = 'x'.repeat(20_000)
  const before = held()
  for (let n = 0; n < ENTRIES; n++) await zip.add(`entry-${n}`, [Buffer.from(content), Buffer.from(content)])
  // One pool slab per name would need 60 MiB. The last few slabs are freed a moment later.
  await expect.poll(() => held() - before).toBeLessThan(20 * MIB)
  await zip.end()
  expect(written).toBeGreaterThan(ENTRIES * 100)
})
