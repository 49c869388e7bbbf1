"""The shape of a question: (kind, question, answer, sources); a source is (document, quote[, how to find its page])."""

from __future__ import annotations

HALDEN = "halden_cloud_msa_2024"
HALDEN_1 = "halden_cloud_amendment_1_2025"
VELTRANO = "veltrano_devices_supply_agreement_2023"
BRIGHTMOOR = "brightmoor_cleaning_services_2024"
STURMHAGEN = "sturmhagen_logistics_agreement_2024"
PINECREST = "pinecrest_it_support_agreement_2023"
PINECREST_2 = "pinecrest_it_support_amendment_2_2025"
CORRIB = "corrib_table_catering_2025"
NOORDVLAM = "noordvlam_energy_supply_2024"
QUILLON = "quillon_software_licence_2025"

Source = tuple[str, str] | tuple[str, str, str]
Question = tuple[str, str, str, list[Source]]
