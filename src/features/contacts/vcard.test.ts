import { describe, expect, it } from 'vitest'
import { MAX_CARDS, MAX_LINES_PER_CARD, readCards } from './vcard.ts'
import { joinExtra, writeCard } from './vcard-writer.ts'

const read = (text: string | Buffer) => [...readCards(Buffer.isBuffer(text) ? text : Buffer.from(text))]
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`

const GOOGLE = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Zoë Lindgren',
  'N:Lindgren;Zoë;;;',
  'EMAIL;TYPE=INTERNET;TYPE=HOME:zoe@home.example',
  'EMAIL;TYPE=INTERNET,PREF:Zoe@Work.example',
  'item1.EMAIL;TYPE=INTERNET:zoe@choir.example',
  'item1.X-ABLabel:Choir',
  'TEL;TYPE=CELL:+46 70 123',
  'ORG:Lindgren\\, Sons & Co;Board',
  'NOTE:First line\\nsecond\\; line that is long enough to be folded by the program that',
  '  exports it',
  'END:VCARD',
)

const APPLE = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'PRODID:-//Apple Inc.//macOS 15//EN',
  'N:Ruiz;Ana;María;;',
  'FN:Ana María Ruiz',
  'item1.EMAIL;type=INTERNET;type=pref:ana@ruiz.example',
  'item1.X-ABLabel:_$!<Other>!$_',
  'item2.TEL:tel:+34-91',
  'item2.X-ABLabel:_$!<Main>!$_',
  'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ',
  ' AASABIAAD/4QBMRXhpZgAATU0AKgAAAAgAAgESAAM',
  ' EMAIL:hidden@in.photo',
  'END:VCARD',
)

const OUTLOOK = lines(
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;LANGUAGE=de;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=',
  '=B6rg',
  'FN;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg M=C3=BCller',
  'EMAIL;PREF;INTERNET:joerg@mueller.example',
  'TEL;WORK;VOICE:089 1234',
  'PHOTO;TYPE=JPEG;ENCODING=BASE64:',
  ' /9j/4AAQSkZJRgABAQAAAQABAAD',
  '',
  'END:VCARD',
)

const VERSION_4 = [
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Li Wei',
  'N:李;伟;;;',
  'EMAIL;TYPE="work,home";PREF=1:mailto:li@wei.example',
  'TEL;VALUE=uri;TYPE="voice,cell":tel:+86-10',
  'TITLE:Engineer',
  'END:VCARD',
].join('\n')

describe('reading vCards', () => {
  it('reads an export of Google', () => {
    expect(read(GOOGLE)).toEqual([
      {
        line: 1,
        faults: [],
        others: [],
        fields: {
          name: 'Zoë Lindgren',
          givenName: 'Zoë',
          familyName: 'Lindgren',
          organization: 'Lindgren, Sons & Co, Board',
          jobTitle: '',
          notes: 'First line\nsecond; line that is long enough to be folded by the program that exports it',
          birthday: '',
          postalAddresses: [],
          websites: [],
          categories: [],
          extra: expect.stringContaining('item1.X-ABLabel:Choir'),
          phones: [{ label: 'mobile', number: '+46 70 123' }],
          addresses: [
            { address: 'zoe@work.example', label: '' },
            { address: 'zoe@home.example', label: 'home' },
            { address: 'zoe@choir.example', label: 'Choir' },
          ],
        },
      },
    ])
  })

  it('reads an export of Apple, without its photo', () => {
    const [card] = read(APPLE)
    expect(card?.fields).toMatchObject({
      name: 'Ana María Ruiz',
      addresses: [{ address: 'ana@ruiz.example', label: 'other' }],
      phones: [{ label: 'main', number: '+34-91' }],
    })
  })

  it('reads an export of Outlook in quoted-printable', () => {
    const [card] = read(OUTLOOK)
    expect(card?.fields).toMatchObject({
      name: 'Jörg Müller',
      givenName: 'Jörg',
      familyName: 'Müller',
      addresses: [{ address: 'joerg@mueller.example', label: '' }],
      phones: [{ label: 'work', number: '089 1234' }],
    })
  })

  it('reads version 4.0 with LF line ends', () => {
    const [card] = read(VERSION_4)
    expect(card?.fields).toMatchObject({
      name: 'Li Wei',
      jobTitle: 'Engineer',
      addresses: [{ address: 'li@wei.example', label: 'work' }],
      phones: [{ label: 'mobile', number: '+86-10' }],
    })
  })

  it('reads Windows-1252, UTF-16, a byte order mark, and characters split by folding', () => {
    const card = lines('BEGIN:VCARD', 'VERSION:3.0', 'FN:Jörg', 'END:VCARD')
    const folded = Buffer.from(card)
    const at = folded.indexOf(Buffer.from('ö')) + 1
    const split = Buffer.concat([folded.subarray(0, at), Buffer.from('\r\n '), folded.subarray(at)])
    const files = [
      Buffer.from(card, 'latin1'),
      Buffer.from(`\ufeff${card}`, 'utf16le'),
      Buffer.from(`\ufeff${card}`),
      split,
    ]
    for (const file of files) expect(read(file).map(({ fields }) => fields.name)).toEqual(['Jörg'])
  })

  it('names invalid addresses and reads the rest', () => {
    const [card] = read(lines('BEGIN:VCARD', 'FN:X', 'EMAIL:ana at home', 'EMAIL:a@b.example', 'END:VCARD'))
    expect(card?.faults).toEqual(['“ana at home” is not an email address.'])
    expect(card?.fields.addresses).toEqual([{ address: 'a@b.example', label: '' }])
  })

  it('reads an unfinished card, and ignores what is outside of cards', () => {
    expect(read('EMAIL:a@b.example\nhello\nBEGIN:VCARD\nFN:Open').map(({ fields }) => fields.name)).toEqual([
      'Open',
    ])
    expect(read('no card')).toEqual([])
    expect(read('')).toEqual([])
  })
})

describe('hostile vCards', () => {
  const timed = (text: string): number => {
    const file = Buffer.from(text)
    const start = performance.now()
    for (const _ of readCards(file));
    return performance.now() - start
  }

  it.each([
    ['one endless line', (n: number) => `BEGIN:VCARD\nNOTE:${'x'.repeat(n)}`],
    ['many folded lines', (n: number) => `BEGIN:VCARD\nNOTE:x\n${' y\n'.repeat(n / 3)}`],
    ['semicolons', (n: number) => `BEGIN:VCARD\n${`N:${';'.repeat(60_000)}\n`.repeat(n / 60_000)}`],
    ['quotes', (n: number) => `BEGIN:VCARD\n${`EMAIL;${'"'.repeat(60_000)}:x\n`.repeat(n / 60_000)}`],
    ['backslashes', (n: number) => `BEGIN:VCARD\n${`N:${'\\'.repeat(60_000)}\n`.repeat(n / 60_000)}`],
    ['nested cards', (n: number) => `${'BEGIN:VCARD\n'.repeat(1000)}${'FN:x\n'.repeat(n / 5)}`],
    ['soft breaks', (n: number) => `BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:${'=\n'.repeat(n / 2)}`],
    ['a photo', (n: number) => `BEGIN:VCARD\nPHOTO:${' x\n'.repeat(n / 3)}`],
  ])('takes linear time for %s', (_name, make) => {
    timed(make(200_000))
    const [small, large] = [timed(make(600_000)), timed(make(4_800_000))]
    expect(large).toBeLessThan(Math.max(small, 10) * 30)
  })

  it('reads no card and no line above the limits', () => {
    const file = Buffer.from('BEGIN:VCARD\nFN:x\nEND:VCARD\n'.repeat(MAX_CARDS + 1))
    expect(() => [...readCards(file)]).toThrow('more than 20000 vCards')
    expect(() => [...readCards(Buffer.from('BEGIN:VCARD\n'.repeat(MAX_CARDS + 1)))]).toThrow('20000 vCards')
    const long = lines(
      'BEGIN:VCARD',
      'FN:Ana',
      ...Array(MAX_LINES_PER_CARD).fill('X-A:b'),
      'TEL:1',
      'END:VCARD',
    )
    expect(read(`${long}BEGIN:VCARD\nFN:Ben\nEND:VCARD`)).toMatchObject([
      {
        fields: { name: 'Ana', phones: [] },
        faults: ['The vCard has more than 5000 lines. The rest was left out.'],
      },
      { fields: { name: 'Ben' } },
    ])
  })
})

describe('writing vCards', () => {
  it('writes what it reads', () => {
    for (const text of [GOOGLE, APPLE, OUTLOOK, VERSION_4]) {
      const [card] = read(text)
      if (!card) throw new Error('The card was not read.')
      const at = '2026-03-01T14:00:00.000Z'
      const uses = { sent: 0, received: 0, lastUsedAt: null }
      const contact = {
        ...card.fields,
        id: 1,
        isKnown: true,
        createdAt: at,
        updatedAt: at,
        addresses: card.fields.addresses.map((address) => ({ ...address, ...uses })),
      }
      const written = writeCard(contact)
      for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      const { extra: _, ...fields } = card.fields
      expect(read(written)[0]?.fields).toMatchObject(fields)
    }
  })

  const FULL = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ana Ruiz',
    'N:Ruiz;Ana;María;Dr.;PhD',
    'EMAIL;type=INTERNET;type=WORK;type=pref:ana@ruiz.example',
    'item1.ADR;type=HOME:;Top 4;Ringstraße 1;Wien;;1010;Austria',
    'item1.X-ABADR:at',
    'item2.URL;type=pref:www.ruiz.example',
    'item2.X-ABLabel:_$!<HomePage>!$_',
    'BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-12',
    'CATEGORIES:Friends,Choir\\, old',
    'X-SOCIALPROFILE;type=mastodon:https://social.example/@ana',
    'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ',
    'END:VCARD',
    '',
  ]
  const toContact = (text: string) => {
    const [card] = read(text)
    if (!card) throw new Error('The card was not read.')
    const uses = { sent: 0, received: 0, lastUsedAt: null }
    return {
      ...card.fields,
      id: 1,
      isKnown: true,
      createdAt: '',
      updatedAt: '',
      addresses: card.fields.addresses.map((address) => ({ ...address, ...uses })),
    }
  }

  it('reads birthdays, postal addresses, websites and categories', () => {
    expect(toContact(FULL.join('\r\n'))).toMatchObject({
      birthday: '--04-12',
      postalAddresses: [
        {
          label: 'home',
          street: 'Ringstraße 1\nTop 4',
          city: 'Wien',
          postalCode: '1010',
          country: 'Austria',
        },
      ],
      websites: [{ label: 'homepage', url: 'https://www.ruiz.example' }],
      categories: ['Friends', 'Choir, old'],
    })
    expect(toContact(VERSION_4.replace('TITLE:', 'BDAY:19850412\nTITLE:')).birthday).toBe('1985-04-12')
    expect(read(OUTLOOK.replace('TEL;', 'BDAY:soon\r\nTEL;'))[0]?.faults).toEqual(['“soon” is not a date.'])
  })

  it('keeps all lines of a card byte for byte, also those without a field', () => {
    const written = writeCard(toContact(FULL.join('\r\n')))
      .replaceAll('\r\n ', '')
      .split('\r\n')
    expect(written.toSorted()).toEqual(FULL.toSorted())
  })

  it('writes a changed field anew, and keeps the others', () => {
    const written = writeCard({ ...toContact(FULL.join('\r\n')), websites: [], birthday: '1985-04-12' })
    expect(written).toContain('N:Ruiz;Ana;María;Dr.;PhD\r\n')
    expect(written).toContain('BDAY:1985-04-12\r\n')
    expect(written).not.toMatch(/1604|item2|ruiz\.example:|HomePage/)
    expect(written).toContain('item1.X-ABADR:at\r\n')
  })

  it('keeps the lines of values that the user did not change', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Ana Ruiz',
      'N:Ruiz;Ana;María;Dr.;PhD,MA',
      'EMAIL;TYPE=INTERNET,WORK,pref;X-A=b:ana@work.example',
      'item1.EMAIL;X-EVOLUTION-UI-SLOT=1:ana@choir.example',
      'item1.X-ABLabel:Choir',
      'EMAIL:ana at home',
      'TEL;TYPE=WORK,FAX:1',
      ...Array.from({ length: 24 }, (_, index) => `TEL;TYPE=PAGER,X-${index}:5${index}`),
      'item2.ADR;TYPE=HOME:7;Top 4;Ringstraße 1;Wien;;1010;Austria',
      'item2.X-ABADR:at',
      'item3.ADR;TYPE=WORK:;;Am Hof 2;Wien;;1010;Austria',
      'item3.X-ABADR:at',
      'END:VCARD',
      '',
    ]
    const contact = toContact(card.join('\r\n'))
    const [work, choir] = contact.addresses as [(typeof contact.addresses)[0], (typeof contact.addresses)[0]]
    const [fax, ...pagers] = contact.phones as [(typeof contact.phones)[0]]
    const edited = {
      ...contact,
      familyName: 'Ruiz; Vega',
      addresses: [work, { ...choir, address: 'new@choir.example' }],
      phones: [fax, ...pagers.slice(1), { number: '9', label: 'Boat' }],
      postalAddresses: contact.postalAddresses.slice(0, 1),
    }
    const unfold = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')
    const gone = /^N:|choir\.example|Choir|TEL;TYPE=PAGER,X-0:|^item3/
    const added = [
      'N:Ruiz\\; Vega;Ana;María;Dr.;PhD,MA',
      'item4.EMAIL;TYPE=INTERNET:new@choir.example',
      'item4.X-ABLabel:Choir',
      'item5.TEL:9',
      'item5.X-ABLabel:Boat',
    ]
    expect(unfold(writeCard(edited)).toSorted()).toEqual(
      [...card.filter((line) => !gone.test(line)), ...added].toSorted(),
    )
    // Another address is preferred now, so the line of the old one must not say that it is.
    const swapped = { ...contact, addresses: [choir, work] }
    expect(read(writeCard(swapped))[0]?.fields.addresses).toEqual([
      { address: 'ana@choir.example', label: 'Choir' },
      { address: 'ana@work.example', label: 'work' },
    ])
  })

  it('writes vCard 4.0 in the form of 3.0', () => {
    const contact = toContact(
      lines(
        'BEGIN:VCARD',
        'VERSION:4.0',
        'FN:Li Wei',
        'EMAIL;TYPE="work,home";PREF=1:li@wei.example',
        'TEL;VALUE=uri;TYPE="voice,cell":tel:+86-10;ext=5',
        'ADR;LABEL="1:2;3";TYPE=home:;;Ringstraße 1;Wien;;1010;',
        'BDAY:--0412',
        'PHOTO;MEDIATYPE=image/jpeg:data:image/jpeg;base64,/9j/4AAQ',
        'RELATED;TYPE=friend:urn:uuid:f81d4fae',
        'END:VCARD',
      ),
    )
    expect(contact).toMatchObject({
      birthday: '--04-12',
      phones: [{ label: 'mobile', number: '+86-10;ext=5' }],
      postalAddresses: [{ label: 'home', street: 'Ringstraße 1' }],
    })
    expect(writeCard(contact).split('\r\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Li Wei',
      'N:Li Wei;;;;',
      'EMAIL;TYPE=work,home;PREF=1:li@wei.example',
      'TEL;TYPE=voice,cell:+86-10;ext=5',
      'ADR;LABEL="1:2;3";TYPE=home:;;Ringstraße 1;Wien;;1010;',
      'BDAY:--0412',
      'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ',
      'RELATED;TYPE=friend:urn:uuid:f81d4fae',
      'END:VCARD',
      '',
    ])
  })

  it('joins the lines of two cards without doubling them', () => {
    const { extra } = toContact(FULL.join('\r\n'))
    expect(joinExtra(extra, extra)).toBe(extra)
    const other = 'FN:Ana\nitem1.TEL:1\nitem1.X-ABLabel:Boat\nX-A:b'
    const joined = joinExtra(extra, other)
    expect(joined.split('\n').slice(-3)).toEqual(['item3.TEL:1', 'item3.X-ABLabel:Boat', 'X-A:b'])
    expect(joinExtra(joined, other)).toBe(joined)
  })

  it('keeps a photo in quoted-printable or base64 of Outlook as version 3.0', () => {
    expect(toContact(OUTLOOK).extra.split('\n')).toEqual([
      'N;LANGUAGE=de:Müller;Jörg',
      'FN:Jörg Müller',
      'EMAIL;TYPE=PREF,INTERNET:joerg@mueller.example',
      'TEL;TYPE=WORK,VOICE:089 1234',
      'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD',
    ])
  })
})
