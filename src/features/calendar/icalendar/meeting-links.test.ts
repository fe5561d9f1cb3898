import { describe, expect, it } from 'vitest'
import { readLine } from './lines.ts'
import { findMeetingLink } from './meeting-links.ts'

const find = (told: { lines?: string[]; location?: string; description?: string }): string | null =>
  findMeetingLink({
    lines: (told.lines ?? []).flatMap((line) => readLine(line) ?? []),
    location: told.location ?? '',
    description: told.description ?? '',
  })

describe('the link to a meeting', () => {
  it.each([
    'https://meet.google.com/abc-defg-hij',
    'https://us02web.zoom.us/j/89012345678?pwd=a1B2',
    'https://zoom.us/my/somebody',
    'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%22Tid%22%7d',
    'https://teams.live.com/meet/9312345678901',
    'https://teams.microsoft.com/meet/2345?p=abc',
    'https://acme.webex.com/meet/somebody',
    'https://meet.jit.si/OurRoom',
    'https://whereby.com/our-room',
    'https://acme.whereby.com/our-room',
    'https://meet.example.org/team-call',
  ])('is found in the prose: %s', (link) => {
    expect(find({ description: `Hello,\njoin (${link}).\nBye` })).toBe(link)
    expect(find({ location: `Room 5; ${link}` })).toBe(link)
    expect(find({ lines: [`URL:${link}`] })).toBe(link)
  })

  it.each([
    'https://zoom.us/pricing',
    'https://www.example.com/meeting',
    'https://support.google.com/meet',
    'https://microsoft.com/teams',
    'ftp://meet.jit.si/room',
    'https://notzoom.us.example.com/j/1',
  ])('is not %s', (link) => {
    expect(find({ description: link, lines: [`URL:${link}`] })).toBeNull()
  })

  it('is what CONFERENCE says, of any host, those with pictures first', () => {
    const lines = [
      'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1-412-555-0123',
      'CONFERENCE;VALUE=URI;FEATURE=CHAT:https://chat.example.com/1',
      'CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://video.example.com/1',
      'URL:https://zoom.us/j/1',
    ]
    expect(find({ lines })).toBe('https://video.example.com/1')
    expect(find({ lines: lines.slice(0, 2) })).toBe('https://chat.example.com/1')
  })

  it.each(['X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'])('is what %s says', (name) => {
    expect(find({ lines: [`${name}:https://calls.example.com/1`] })).toBe('https://calls.example.com/1')
  })

  it('is the place, when the place is nothing but a link', () => {
    expect(find({ location: 'https://calls.example.com/1' })).toBe('https://calls.example.com/1')
    expect(find({ location: 'Lobby, https://calls.example.com/1' })).toBeNull()
  })
})
