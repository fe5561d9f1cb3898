import { describe, expect, it } from 'vitest'
import { hasItip, scoreItip } from '../bench/itip.ts'

const exists = hasItip()

describe.skipIf(!exists)(
  `public scheduling mails${exists ? '' : ': ../shared/data/itip-mails does not exist'}`,
  () => {
    it('are read and produced as their authors expect', async () => {
      const { messages, produce } = await scoreItip()
      expect([messages.wrong, produce.wrong]).toEqual([[], []])
      expect(messages.of).toBeGreaterThan(0)
      expect(produce.of).toBeGreaterThan(0)
    })
  },
)
