import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

describe('the options in the address of the overlay', () => {
  it('show captions and milestones by default', () => {
    const { show, lines, linger, position } = readOptions('')
    expect({ show: [...show], lines, linger, position }).toEqual({
      show: ['captions', 'milestones'],
      lines: 3,
      linger: 30,
      position: 'bottom',
    })
  })

  it('stay within their limits', () => {
    const { lines, linger, style } = readOptions('?lines=99&linger=-5&size=1')
    expect([lines, linger, style['--overlay-size']]).toEqual([8, 0, '10px'])
  })

  it('ignore unknown values', () => {
    const { show, lines, align } = readOptions('?show=title,secrets&lines=many&align=diagonal')
    expect([[...show], lines, align]).toEqual([['title'], 3, 'center'])
  })
})
