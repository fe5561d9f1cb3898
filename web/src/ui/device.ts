/** What a User-Agent header tells of a device, in words. */
export interface Device {
  name: string
  kind: 'computer' | 'phone' | 'program'
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chromium'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

export const readDevice = (userAgent: string): Device => {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  const isPhone = /\bMobile\b|\biPad\b|\bAndroid\b/.test(userAgent)
  if (browser)
    return { name: system ? `${browser} on ${system}` : browser, kind: isPhone ? 'phone' : 'computer' }
  const [program] = /^[\w.-]+/.exec(userAgent) ?? []
  return { name: program ?? 'Unknown device', kind: 'program' }
}
