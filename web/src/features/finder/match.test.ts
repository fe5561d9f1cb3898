import { HomeIcon } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../shell/commands.ts'
import { CERTAIN, rankCommands, scoreOf } from './match.ts'

const command = (label: string, keywords = ''): Command => ({
  id: label,
  label,
  keywords,
  icon: HomeIcon,
  href: '/',
})
const ranked = (query: string, labels: string[], recent: string[] = []) =>
  rankCommands(
    labels.map((label) => command(label)),
    query,
    recent,
  ).map(({ command: { label } }) => label)

describe('the search of commands', () => {
  it('prefers the beginning of the label, then of its words, then of keywords', () => {
    const scores = [
      scoreOf(command('Calendar'), 'cal'),
      scoreOf(command('Open calendar'), 'cal'),
      scoreOf(command('Appointments', 'calendar'), 'cal'),
    ]
    expect(scores).toEqual([...scores].sort().reverse())
    expect(new Set(scores).size).toBe(3)
  })

  it('finds commands although letters are missing, as a guess', () => {
    const score = scoreOf(command('Change theme'), 'chnge')
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(CERTAIN)
  })

  it('does not guess from two letters', () => {
    expect(scoreOf(command('Change theme'), 'ct')).toBe(0)
  })

  it('accepts the words in any order', () => {
    expect(scoreOf(command('New calendar event'), 'event new')).toBeGreaterThan(CERTAIN)
  })

  it('lists the more recent one of two equal matches first', () => {
    expect(ranked('new', ['New task', 'New event'])).toEqual(['New task', 'New event'])
    expect(ranked('new', ['New task', 'New event'], ['New event'])).toEqual(['New event', 'New task'])
    expect(ranked('xyz', ['New task'])).toEqual([])
  })
})
