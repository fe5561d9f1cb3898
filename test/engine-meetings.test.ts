import { describe, expect, it } from 'vitest'
import { hasData, percent } from '../bench/engine/data.ts'
import { eventCases, f1, intentCases, readCase, scoreEvents, scoreWishes } from '../bench/engine/smcalflow.ts'

describe.skipIf(!hasData('meeting-smcalflow'))('meeting requests, on the public half', () => {
  it('reads start, title, people, place and length', () => {
    const scores = scoreEvents(eventCases(), readCase)
    const figures = {
      start: percent(scores.start),
      title: percent(scores.title),
      people: f1(scores.people),
      place: f1(scores.place),
      duration: f1(scores.duration),
    }
    console.log(figures)
    expect(figures.start).toBeGreaterThanOrEqual(95)
    expect(figures.title).toBeGreaterThanOrEqual(85)
    expect(figures.people).toBeGreaterThanOrEqual(0.95)
    expect(figures.place).toBeGreaterThanOrEqual(0.88)
    expect(figures.duration).toBeGreaterThanOrEqual(0.97)
  })

  it('knows who wants an event made', () => {
    const figure = f1(scoreWishes(intentCases()))
    console.log(`create or not: F1 ${figure.toFixed(3)}`)
    expect(figure).toBeGreaterThanOrEqual(0.925)
  })
})
