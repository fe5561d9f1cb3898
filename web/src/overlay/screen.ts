import { language } from '#locale/language'
import type { Model } from './model.ts'
import type { Options } from './options.ts'
import type { Caption, Milestone } from './shapes.ts'
import './overlay.css'

/** Roll-up duration from WebVTT, section 5.1. */
const ROLL_MS = 433

const element = (tag: string, className: string, text?: string): HTMLElement => {
  const node = document.createElement(tag)
  node.className = className
  if (text !== undefined) node.textContent = text
  return node
}

/** Writes captions as text, never as HTML. `bdi` isolates the writing direction. */
const writeCaption = (line: HTMLElement, { text, speaker, language }: Caption): void => {
  const words = element('span', 'overlay-words')
  if (speaker !== null) words.append(element('bdi', 'overlay-speaker', speaker), ': ')
  words.append(element('bdi', 'overlay-text', text))
  line.lang = language
  line.dir = 'auto'
  line.replaceChildren(words)
}

/** Captions scroll up in a region of a few lines, like WebVTT regions with `scroll:up`. */
const createCaptions = () => {
  const region = element('div', 'overlay-captions')
  const roll = element('div', 'overlay-roll')
  region.append(roll)
  const lines = new Map<number, { line: HTMLElement; version: string }>()
  const versionOf = ({ text, speaker, language }: Caption) => JSON.stringify([text, speaker, language])

  const rollUp = (by: number): void => {
    if (by === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    roll.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], {
      duration: ROLL_MS,
      easing: 'ease-out',
    })
  }

  const show = (captions: readonly Caption[]): void => {
    const wanted = new Set(captions.map(({ id }) => id))
    for (const [id, { line }] of lines)
      if (!wanted.has(id)) {
        line.remove()
        lines.delete(id)
      }
    const isFirst = lines.size === 0
    let added = 0
    for (const caption of captions) {
      if (caption.text.trim() === '') continue
      const version = versionOf(caption)
      const known = lines.get(caption.id)
      const line = known?.line ?? element('p', 'overlay-line')
      if (known?.version !== version) writeCaption(line, caption)
      lines.set(caption.id, { line, version })
      if (known) continue
      roll.append(line)
      added += line.offsetHeight
    }
    if (!isFirst) rollUp(added)
  }
  return { region, show }
}

// The overlay must stay small, so it does not load the plural and list rules of locales/format.ts.
const numbers = new Intl.NumberFormat(language)

const wordsOf = ({ current, target, unit }: Milestone): string =>
  `${numbers.format(current)} / ${numbers.format(target)}${unit === '' ? '' : ` ${unit}`}`

const createMilestones = () => {
  const list = element('div', 'overlay-milestones')
  const rows = new Map<number, ReturnType<typeof createRow>>()

  const createRow = () => {
    const row = element('div', 'overlay-milestone')
    const head = element('div', 'overlay-milestone-head')
    const title = element('bdi', 'overlay-milestone-title')
    const words = element('span', 'overlay-milestone-words')
    const bar = element('div', 'overlay-bar')
    const filled = element('div', 'overlay-filled')
    bar.setAttribute('role', 'progressbar')
    bar.append(filled)
    head.append(title, words)
    row.append(head, bar)
    return {
      row,
      write(milestone: Milestone): void {
        const { current, target, reached } = milestone
        title.textContent = milestone.title
        words.textContent = wordsOf(milestone)
        row.dataset.reached = String(reached)
        bar.setAttribute('aria-label', milestone.title)
        bar.setAttribute('aria-valuemin', '0')
        bar.setAttribute('aria-valuemax', String(target))
        bar.setAttribute('aria-valuenow', String(Math.min(current, target)))
        filled.style.width = `${Math.min(100, (current / target) * 100)}%`
      },
    }
  }

  const show = (milestones: readonly Milestone[]): void => {
    const wanted = new Set(milestones.map(({ id }) => id))
    for (const [id, { row }] of rows)
      if (!wanted.has(id)) {
        row.remove()
        rows.delete(id)
      }
    for (const milestone of milestones) {
      const row = rows.get(milestone.id) ?? createRow()
      rows.set(milestone.id, row)
      row.write(milestone)
      list.append(row.row)
    }
  }
  return { list, show }
}

export type Screen = ReturnType<typeof createScreen>

/** Renders the overlay into `root`. */
export const createScreen = (root: HTMLElement, options: Options) => {
  const stage = element('div', 'overlay')
  stage.dataset.position = options.position
  stage.dataset.align = options.align
  stage.dataset.corner = options.corner
  for (const [name, value] of Object.entries(options.style)) stage.style.setProperty(name, value)
  stage.style.setProperty('--overlay-lines', String(options.lines))
  const captions = createCaptions()
  const milestones = createMilestones()
  const title = element('p', 'overlay-title')
  title.dir = 'auto'
  if (options.show.has('title')) stage.append(title)
  if (options.show.has('milestones')) stage.append(milestones.list)
  if (options.show.has('captions')) stage.append(captions.region)
  root.append(stage)
  return {
    show({
      state,
      captions: displayed,
      milestones: reached,
    }: Pick<Model, 'state' | 'captions' | 'milestones'>) {
      captions.show(displayed.map(({ caption }) => caption))
      milestones.show(reached)
      title.textContent = state.held || !state.live ? '' : state.title
    },
    remove: () => stage.remove(),
  }
}
