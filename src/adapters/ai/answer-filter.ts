import { mayBeCalls, mayBecomeCalls, parseWholeAnswer, type TextCall } from './text-calls.ts'

/**
 * Servers without a reasoning parser leave the tags of the chat template in the text. Each pair encloses
 * reasoning, which is not part of the answer.
 */
const REASONING_TAGS: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
]

/** The message format of gpt-oss: `<|channel|>NAME<|message|>TEXT`, ended by one of the other tokens. */
const CHANNEL = '<|channel|>'
const MESSAGE = '<|message|>'
const CHANNEL_ENDS = ['<|end|>', '<|start|>', '<|call|>', '<|return|>', CHANNEL]
const DROPPED_TOKENS = ['<|start|>assistant', '<|end|>', '<|return|>', '<|call|>']

/** gpt-oss on a server that drops its tokens: `analysisWe need …assistantfinalHello`. */
const BARE_ANALYSIS = 'analysis'

const FENCE = '```'

type Mode =
  | { name: 'text' }
  /** Inside a code block, where tags are ordinary text. */
  | { name: 'code' }
  | { name: 'reasoning'; ends: readonly string[] }
  | { name: 'channel' }
  /** The answer starts like tool calls. It is held to its end, because calls count only as the whole answer. */
  | { name: 'calls' }
  | { name: 'channel-call'; tool: string }

const TEXT: Mode = { name: 'text' }

export interface FilterOptions {
  /** The offered tools whose calls may be text. Without tools, calls in the text stay text. */
  tools: readonly string[]
  unopened: UnopenedReasoning
}

/**
 * Some chat templates put the opening reasoning tag into the prompt, so the answer has a closing tag only.
 * Unless the model never does that, no text is passed on before the closing tag or the end.
 */
export type UnopenedReasoning = 'unknown' | 'never' | 'always'

export interface FilteredEnd {
  text: string
  /** The calls that the whole answer consists of. */
  calls: readonly TextCall[]
  /** The calls as they were written. */
  written: string
  /** The answer had a closing reasoning tag without an opening one. */
  hasUnopenedReasoning: boolean
}

/** Finds the first of several markers. */
const findFirst = (text: string, markers: readonly string[]): { at: number; marker: string } | undefined => {
  let first: { at: number; marker: string } | undefined
  for (const marker of markers) {
    const at = text.indexOf(marker)
    if (at >= 0 && (first === undefined || at < first.at)) first = { at, marker }
  }
  return first
}

/** Returns the length of the longest end of the text that may be the start of a marker. */
const countPartial = (text: string, markers: readonly string[]): number => {
  const longest = Math.max(...markers.map(({ length }) => length)) - 1
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (markers.some((marker) => marker.startsWith(end))) return length
  }
  return 0
}

/** A tag in backticks is about the tag. */
const isQuoted = (text: string, at: number): boolean => text[at - 1] === '`' && !text.startsWith(FENCE, at)

const REASONING_OPENINGS = REASONING_TAGS.map(([opening]) => opening)
const REASONING_CLOSINGS = REASONING_TAGS.map(([, closing]) => closing)

/**
 * Removes reasoning from the text of an answer and finds tool calls that a server left in the text. The text
 * arrives in pieces that can divide a tag.
 */
export class AnswerFilter {
  private readonly tools: readonly string[]
  private readonly markers: readonly string[]
  private readonly calls: TextCall[] = []
  private written = ''
  /** Text of the answer besides tool calls. */
  private hasVisibleText = false
  private mode: Mode = TEXT
  /** Received text that is not processed yet. */
  private buffer = ''
  /** Processed text that is passed on later. */
  private held = ''
  private isHolding: boolean
  private readonly unopened: UnopenedReasoning
  private isStart = true
  private hasReasoning = false
  private hasUnopenedReasoning = false
  /** The last character that was passed on. */
  private last = ''

  constructor({ tools, unopened }: FilterOptions) {
    this.tools = tools
    this.unopened = unopened
    this.isHolding = unopened !== 'never'
    this.markers = [...REASONING_OPENINGS, ...REASONING_CLOSINGS, CHANNEL, ...DROPPED_TOKENS, FENCE]
  }

  /** Adds text and returns the part of the answer that can be passed on. */
  push(text: string): string {
    this.buffer += text
    this.process(false)
    return this.isHolding ? '' : this.release()
  }

  /** Returns the rest of the answer, and its tool calls. */
  end({ isCut }: { isCut: boolean }): FilteredEnd {
    this.process(true)
    // An answer that reached the length limit before the closing tag is reasoning only.
    const isReasoning = this.isHolding && isCut && this.unopened === 'always'
    const text = this.release()
    return {
      text: isReasoning ? '' : text,
      calls: this.hasVisibleText ? [] : this.calls,
      written: this.written,
      hasUnopenedReasoning: this.hasUnopenedReasoning,
    }
  }

  private release(): string {
    const released = this.held
    this.held = ''
    return released
  }

  /** Processes the buffer as far as its meaning is certain. */
  private process(isEnd: boolean): void {
    for (;;) {
      const before = `${this.buffer.length} ${this.mode.name}`
      const text = this.step(isEnd)
      this.held += text
      if (text !== '') this.last = text.slice(-1)
      this.hasVisibleText ||= text.trim() !== ''
      if (this.buffer === '' || before === `${this.buffer.length} ${this.mode.name}`) return
    }
  }

  private step(isEnd: boolean): string {
    switch (this.mode.name) {
      case 'text':
        return this.readText(isEnd)
      case 'code':
        return this.readCode(isEnd)
      case 'reasoning':
        return this.skipReasoning(this.mode.ends, isEnd)
      case 'channel':
        return this.readChannel(isEnd)
      case 'calls':
        return this.readCalls(isEnd)
      case 'channel-call':
        return this.readChannelCall(this.mode.tool, isEnd)
    }
  }

  /** Removes and returns the start of the buffer. */
  private take(length: number): string {
    const taken = this.buffer.slice(0, length)
    this.buffer = this.buffer.slice(length)
    return taken
  }

  private readText(isEnd: boolean): string {
    if (this.isStart && !this.readStart(isEnd)) return ''
    if (this.mode !== TEXT) return ''
    const found = findFirst(this.buffer, this.markers)
    if (!found) return this.take(this.buffer.length - (isEnd ? 0 : countPartial(this.buffer, this.markers)))
    const { at, marker } = found
    if (isQuoted(this.last + this.buffer, at + this.last.length)) return this.take(at + marker.length)
    const text = this.take(at)
    return this.open(marker, text)
  }

  /**
   * Reads the start of the answer. An answer that starts like a tool call is held to its end. Returns false while
   * the start is not known yet.
   */
  private readStart(isEnd: boolean): boolean {
    this.buffer = this.buffer.trimStart()
    if (this.buffer === '') return false
    const hasTools = this.tools.length > 0
    if (!isEnd && (BARE_ANALYSIS.startsWith(this.buffer) || (hasTools && mayBecomeCalls(this.buffer))))
      return false
    this.isStart = false
    if (hasTools && mayBeCalls(this.buffer)) this.mode = { name: 'calls' }
    else if (/^analysis[A-Z]/.test(this.buffer)) this.mode = { name: 'reasoning', ends: ['assistantfinal'] }
    return true
  }

  /** Enters the mode of an opening marker, which stands at the start of the buffer. Returns visible text. */
  private open(marker: string, text: string): string {
    if (marker === FENCE) {
      this.mode = { name: 'code' }
      return text + this.take(FENCE.length)
    }
    this.take(marker.length)
    const closing = REASONING_TAGS.find(([opening]) => opening === marker)?.[1]
    if (closing !== undefined) {
      this.mode = { name: 'reasoning', ends: [closing] }
      return text
    }
    if (marker === CHANNEL) {
      this.mode = { name: 'channel' }
      return text
    }
    if (DROPPED_TOKENS.includes(marker)) return text
    return this.closeUnopened(text)
  }

  /** Handles a closing reasoning tag without an opening one: the text before it is reasoning. */
  private closeUnopened(text: string): string {
    if (this.hasReasoning) return text
    this.hasReasoning = true
    this.hasUnopenedReasoning = true
    this.held = ''
    this.last = ''
    // In the answer of a model that never reasons this way, the tag is more likely part of a quotation.
    this.hasVisibleText = !this.isHolding && (this.hasVisibleText || text.trim() !== '')
    this.isStart = true
    this.isHolding = false
    return ''
  }

  private skipReasoning(ends: readonly string[], isEnd: boolean): string {
    this.hasReasoning = true
    const found = findFirst(this.buffer, ends)
    if (!found) {
      this.take(this.buffer.length - (isEnd ? 0 : countPartial(this.buffer, ends)))
      return ''
    }
    const isToken = CHANNEL_ENDS.includes(found.marker)
    this.take(found.at + (isToken ? 0 : found.marker.length))
    if (!isToken) this.isHolding = false
    this.mode = TEXT
    this.isStart = this.last === ''
    return ''
  }

  private readChannel(isEnd: boolean): string {
    const at = this.buffer.indexOf(MESSAGE)
    if (at < 0) {
      if (isEnd) this.take(this.buffer.length)
      return ''
    }
    const header = this.take(at)
    this.take(MESSAGE.length)
    const tool = /\bto=functions\.([\w-]+)/.exec(header)?.[1]
    if (tool !== undefined) this.mode = { name: 'channel-call', tool }
    else if (header.trim().startsWith('analysis')) this.mode = { name: 'reasoning', ends: CHANNEL_ENDS }
    else {
      this.mode = TEXT
      this.isHolding = false
    }
    return ''
  }

  /** At the end, the answer is either tool calls or text. */
  private readCalls(isEnd: boolean): string {
    if (!isEnd) return ''
    this.mode = TEXT
    const calls = parseWholeAnswer(this.buffer, this.tools)
    if (calls.length === 0) return ''
    this.calls.push(...calls)
    this.written += this.take(this.buffer.length)
    return ''
  }

  private readChannelCall(tool: string, isEnd: boolean): string {
    const found = findFirst(this.buffer, CHANNEL_ENDS)
    if (!found && !isEnd) return ''
    const body = this.take(found?.at ?? this.buffer.length)
    this.mode = TEXT
    if (!this.tools.includes(tool)) return body
    this.calls.push({ name: tool, input: body.trim() })
    this.written += body
    return ''
  }

  private readCode(isEnd: boolean): string {
    const end = this.buffer.indexOf(FENCE)
    if (end < 0) return this.take(this.buffer.length - (isEnd ? 0 : countPartial(this.buffer, [FENCE])))
    this.mode = TEXT
    return this.take(end + FENCE.length)
  }
}
