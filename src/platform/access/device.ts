export const DEVICE_KINDS = ['computer', 'phone', 'program'] as const

/** What a User-Agent header tells, in words. */
export interface Device {
  name: string
  kind: (typeof DEVICE_KINDS)[number]
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chromium'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const PHONE = /\bMobile\b|\biPad\b|\bAndroid\b/

const find = (table: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** A browser as its person knows it, "Firefox on Windows"; whatever else calls is known by what it says it is. */
export const deviceOf = (userAgent: string): Device => {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  if (browser !== undefined) {
    const kind = PHONE.test(userAgent) ? 'phone' : 'computer'
    return { name: system === undefined ? browser : `${browser} on ${system}`, kind }
  }
  const [program = ''] = /^[^/(;]{1,60}/.exec(userAgent) ?? []
  return { name: program.trim() || 'Unknown device', kind: 'program' }
}
