import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expandRule } from '../src/recurrence/expansion.ts'
import { readRule } from '../src/recurrence/rule.ts'

/** Rules with all their instances in floating local time, from the tests of libical and dateutil. */
const VECTORS = '../shared/data/rrule-vectors/vectors.public.jsonl'

interface Vector {
  id: string
  dtstart: string
  rrule: string
  instances: string[]
  class: 'core' | 'extended' | 'contested'
}

const wallOf = (text: string): number => {
  const [, year, month, day, time = '000000'] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6}))?Z?$/.exec(text) ?? []
  const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4)]
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const isExpectedExpansion = ({ dtstart, rrule, instances }: Vector): boolean => {
  const read = readRule(rrule)
  if ('fault' in read) return false
  const found = expandRule(read.rule, wallOf(dtstart)).take(instances.length + 1)
  return found.toArray().join() === instances.map(wallOf).join()
}

const missing = !existsSync(VECTORS)
if (missing) console.log(`Skipping the recurrence vectors: ${VECTORS} does not exist.`)

describe.skipIf(missing)('recurrence vectors', () => {
  const vectors = missing
    ? []
    : readFileSync(VECTORS, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Vector)
  const ofClass = (...classes: string[]) => vectors.filter((vector) => classes.includes(vector.class))

  it('contain more than 150 rules', () => {
    expect(vectors.length).toBeGreaterThan(150)
  })

  it('expand as expected unless the result is contested between programs', () => {
    for (const name of ['core', 'extended', 'contested'])
      console.log(`${name}: ${ofClass(name).filter(isExpectedExpansion).length} of ${ofClass(name).length}`)
    const wrong = ofClass('core', 'extended').filter((vector) => !isExpectedExpansion(vector))
    expect(wrong.map(({ id, rrule }) => `${id} ${rrule}`)).toEqual([])
  })
})
