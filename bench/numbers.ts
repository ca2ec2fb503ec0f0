/** Phone numbers: valid North American ones of which the local registry thinks nothing special. */

/** The `index`th number, in E.164. Different up to 5.6 million. */
export function phoneNumber(index: number): string {
  const areaCodes = [212, 312, 415, 503, 617, 702, 808, 917] as const;
  const areaCode = areaCodes[index % areaCodes.length] ?? areaCodes[0];
  const round = Math.floor(index / areaCodes.length);
  // Exchanges from 220 to 910, none of which ends in 11; the registry's special numbers end in 0190 to 0199.
  const exchange = 220 + (Math.floor(round / 9000) % 70) * 10;
  return `+1${areaCode}${exchange}${1000 + (round % 9000)}`;
}
